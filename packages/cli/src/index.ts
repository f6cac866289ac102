export type { Environment } from './vendors/environment.ts'
export {
  type ListFault,
  type Reconciliation,
  type ReconcileOptions,
  unknownTasks,
  type UnknownTask,
} from './reconcile/unknown-tasks.ts'
export { serve, type ServeOptions } from './server/serve.ts'
export { type FoundVendors, foundVendors, vendorVariables } from './vendors/found-vendors.ts'
export { refusedKeys } from './vendors/refused-keys.ts'
