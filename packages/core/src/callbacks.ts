export type { CallbackMethods } from './contracts/callbacks.ts'
export { callbacks, type CallbacksOptions } from './callbacks/callbacks-plugin.ts'
