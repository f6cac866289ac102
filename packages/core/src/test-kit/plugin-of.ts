import type { PluginHooks, ServicePlugin } from '../contracts/plugin/service-plugin.ts'

/** A plugin that does what these hooks do. Wrong hooks are accepted, as a plugin in plain JavaScript may have them. */
export function pluginOf(name: string, hooks: unknown): ServicePlugin {
  return { name, attach: () => hooks as PluginHooks }
}

/** What never settles. */
export const never = () => new Promise<never>(() => {})

/** What throws. @param words the message of its error */
export const failing =
  (words = 'out of order') =>
  (): never => {
    throw new Error(words)
  }
