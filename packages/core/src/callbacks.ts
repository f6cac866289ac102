export type { CallbackMethods } from './contracts/plugin/callbacks.ts'
export { callbacks, type CallbacksOptions } from './callbacks/callbacks-plugin.ts'
