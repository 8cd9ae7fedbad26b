import { Injectable, OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import { BundleRemarks } from '../../bundles/index.js';
import { type HeldEntries, Unsettled } from '../showing/unsettled.service.js';
import { DepositNames } from './shared/deposit-words.js';
import { counted } from './shared/each-by-itself.js';

/** Says of a bundle how many of its entries are in deposits that are not reconciled. */
@Injectable()
export class DepositRemarks implements OnModuleInit {
  constructor(
    private readonly remarks: BundleRemarks,
    private readonly unsettled: Unsettled,
  ) {}

  onModuleInit(): void {
    this.remarks.add(async (bundleIds) => {
      const held = await this.unsettled.heldEntries(bundleIds);
      const ids = [...new Set(held.map(({ bundleId }) => bundleId))];
      const ofBundle = (id: number): HeldEntries[] => held.filter(({ bundleId }) => bundleId === id);
      return new Map(ids.map((id) => [id, <NotReconciled key="deposits" held={ofBundle(id)} />]));
    });
  }
}

function NotReconciled({ held }: { readonly held: readonly HeldEntries[] }): VNode {
  const sum = held.reduce((all, { count }) => all + count, 0);
  return (
    <span>
      {counted(sum, 'entry is in a deposit', `entries are in ${held.length === 1 ? 'a deposit' : 'deposits'}`)} that{' '}
      {held.length === 1 ? 'is' : 'are'} not reconciled yet:{' '}
      <DepositNames ids={held.map(({ depositId }) => depositId)} />.
    </span>
  );
}
