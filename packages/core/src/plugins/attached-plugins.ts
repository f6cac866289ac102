import type { PluginHooks, PluginHost, ServicePlugin } from '../contracts/service-plugin.ts'
import { checkHooks } from './check-hooks.ts'

/** A plugin of a service, with what it does. */
export interface AttachedPlugin {
  readonly name: string
  readonly hooks: PluginHooks
}

/** What one plugin of a service at most may have: two would contradict each other. */
const single = {
  'a function webhookOf': (hooks: PluginHooks) => hooks.webhookOf,
  'callbacks of vendors': (hooks: PluginHooks) => hooks.vendorCallbacks,
  'rooms for files': (hooks: PluginHooks) => hooks.fileRooms,
  uploads: (hooks: PluginHooks) => hooks.face?.uploads,
  'a count of requests': (hooks: PluginHooks) => hooks.face?.countRequest,
}

/**
 * Attaches the plugins of a service, in their order.
 * @throws TypeError when two plugins have the same name, or both have what only one may have, or one has a hook that there is
 *   not; the error of a plugin that
 *   does not fit the service
 */
export function attachedPlugins(
  plugins: readonly ServicePlugin[],
  host: PluginHost,
): readonly AttachedPlugin[] {
  const names = new Set<string>()
  const attached: AttachedPlugin[] = []
  for (const plugin of plugins) {
    const { name } = plugin
    if (names.has(name))
      throw new TypeError(`createGenerationService: there are two plugins with the name ${name}.`)
    names.add(name)
    attached.push({ name, hooks: checkHooks(name, plugin.attach(host)) })
  }
  for (const [what, partOf] of Object.entries(single)) {
    const [one, other] = attached.filter(({ hooks }) => partOf(hooks) !== undefined)
    if (one && other)
      throw new TypeError(
        `createGenerationService: the plugins ${one.name} and ${other.name} both have ${what}; one may have it.`,
      )
  }
  return attached
}

/** The plugins that have this function, with it. */
export function having<Name extends keyof PluginHooks>(
  plugins: readonly AttachedPlugin[],
  name: Name,
): readonly { readonly name: string; readonly call: NonNullable<PluginHooks[Name]> }[] {
  return plugins.flatMap(({ name: plugin, hooks }) => {
    const call = hooks[name]
    return call ? [{ name: plugin, call: call as NonNullable<PluginHooks[Name]> }] : []
  })
}
