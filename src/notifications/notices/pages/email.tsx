import { Fragment, type VNode } from 'preact';

/** An e-mail address, which breaks between its words where it has to. */
export function Email({ address }: { readonly address: string }): VNode {
  const words = address.split(/(?<=[@.])/u);
  return (
    <>
      {words.map((word, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}
