import type { Bench } from './bench.ts'
import { clusterBench } from './cluster/cluster.ts'
import { economyBench } from './economy/economy.ts'
import { httpBench } from './http/http.ts'
import { startUpBench } from './start-up/start-up.ts'
import { storesBench } from './stores/stores.ts'
import { waitersBench } from './waiters/waiters.ts'

/** All benches, in the order of the results page. */
export const benches: readonly Bench[] = [
  httpBench,
  waitersBench,
  storesBench,
  clusterBench,
  economyBench,
  startUpBench,
]
