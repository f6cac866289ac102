export type { Environment } from './vendors/environment.ts'
export { serve, type ServeOptions } from './server/serve.ts'
export { type FoundVendors, foundVendors, vendorVariables } from './vendors/found-vendors.ts'
export { refusedKeys } from './vendors/refused-keys.ts'
