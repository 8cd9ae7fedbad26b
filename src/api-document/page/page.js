/** The address of the service as this browser reaches it, whatever proxies are in between. */
const service = new URL('..', document.currentScript.src).href.replace(/\/$/, '');

const READING = ['get', 'head'];
/** Calls that change nothing although they are no GET. */
const HARMLESS = ['/Api/PreviewContribution'];

/** Nothing on a test system is real. */
const isTestSystem = document.querySelector('.test-system') !== null;

/** Says above the button that sends a call that the call is real. */
const warnBeforeSending = () => ({
  wrapComponents: {
    execute: (Execute, { React }) => {
      const warned = (props) => {
        const isHarmless = isTestSystem || READING.includes(props.method) || HARMLESS.includes(props.path);
        const text = 'This changes the books of the church.';
        const warning = isHarmless ? null : React.createElement('p', { className: 'warning' }, text);
        return React.createElement('div', { className: 'send' }, warning, React.createElement(Execute, props));
      };
      return warned;
    },
  },
});

/** The page calls the service from which it came, and not the address in the document, which is for programs. */
const callThisService = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) => update({ ...spec, servers: [{ url: service }] }),
      },
    },
  },
});

/** Names that Swagger UI leaves out, by the elements. Without them, screen readers say only what kind of element it is. */
const NAMES = {
  '.json-schema-2020-12-accordion': 'Fields',
  '.examples-select-element': 'Example',
  '.content-type': 'Media type of the body',
  '.response-control-media-type select': 'Media type of the answer',
  'textarea.body-param__text': 'Body',
  '.parameters-col_description select': 'Value',
  '.modal-btn.authorize[type=submit]': 'Authorize: apply credentials',
};

/** Names elements, and lets the keyboard scroll through code that is wider than the page. */
function makeAccessible() {
  for (const code of document.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0;
  for (const [selector, name] of Object.entries(NAMES)) {
    for (const element of document.querySelectorAll(selector)) {
      // A button that shows another text has a name already.
      const hasOther = element.tagName === 'BUTTON' && !name.includes(element.textContent.trim());
      if (!hasOther && element.getAttribute('aria-label') !== name) element.setAttribute('aria-label', name);
    }
  }
}

new MutationObserver(makeAccessible).observe(document.getElementById('page'), { childList: true, subtree: true });

SwaggerUIBundle({
  url: `${service}/openapi.json`,
  dom_id: '#page',
  docExpansion: 'list',
  // Each operation shows its schemas, and an example behind a tab.
  defaultModelRendering: 'model',
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  // Otherwise the page would request a badge from another host.
  validatorUrl: null,
  plugins: [warnBeforeSending, callThisService],
  // A browser remembers credentials from its own dialog, and sends them with requests of other pages. So requests only use
  // credentials that were typed into the page.
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
});
