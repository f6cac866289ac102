/** The function of Node, Deno and Bun, without types of Node where a Worker is compiled. */
const builtins = (globalThis as { readonly process?: Pick<NodeJS.Process, 'getBuiltinModule'> }).process

/**
 * A module of Node. It is not imported, because a Worker has none, and a bundler would look for it.
 * @throws TypeError in a Worker
 */
export const nodeModule: NodeJS.Process['getBuiltinModule'] = (name: string) =>
  builtins!.getBuiltinModule(name)

/** Whether this runtime can open a WebSocket with headers of our own and with a limit for its messages. */
export function hasSockets(): boolean {
  return typeof builtins?.getBuiltinModule === 'function'
}
