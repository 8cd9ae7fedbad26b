import type { PatroniCluster } from './patroni-cluster.js';
import type { PatroniNode } from './patroni-node.js';

/** A way in which a cluster loses its primary. */
export interface Kind {
  readonly name: string;
  readonly strike: (primary: PatroniNode, cluster: PatroniCluster) => unknown;
  /** Makes the former primary a node of the cluster again, once another one has taken over. */
  readonly repair: (former: PatroniNode) => unknown;
}

const nothing = (): void => undefined;

const KINDS: readonly Kind[] = [
  { name: 'killed with its Patroni', strike: (node) => node.killAll(), repair: (node) => node.restart() },
  {
    name: 'switched over',
    strike: (_node, cluster) => cluster.patronictl('switchover', '--force'),
    repair: nothing,
  },
  // Its Patroni gives up the lead at once, and starts it again as a standby.
  { name: 'killed alone', strike: (node) => node.killPostgres(), repair: nothing },
  { name: 'frozen', strike: (node) => node.freeze(), repair: (node) => node.thaw() },
  { name: 'cut off from etcd', strike: (node) => node.cutOffFromEtcd(), repair: (node) => node.connectToEtcd() },
];

const isShort = process.env['CLUSTER'] === 'short';
const rounds = Number(process.env['CLUSTER_ROUNDS'] ?? (isShort ? 1 : 4));

/** A failover of the test. */
export interface Failover extends Kind {
  readonly number: number;
  /** Whether one of the services is killed meanwhile, and started again. */
  readonly killsService: boolean;
}

/** The failovers: 4 of each of five kinds, or one of each of two kinds (`CLUSTER=short`). */
export const FAILOVERS: readonly Failover[] = Array.from({ length: rounds })
  .flatMap(() => (isShort ? KINDS.slice(0, 2) : KINDS))
  .map((kind, index) => ({ ...kind, number: index + 1, killsService: index % 2 === 1 }));
