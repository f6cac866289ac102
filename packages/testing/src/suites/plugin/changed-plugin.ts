import type { PluginHooks, ServicePlugin } from '@genmount/core'

/** The functions of a plugin that the service calls at the moments of a job's life. */
export const moments = [
  'resolveInput',
  'admit',
  'submitInput',
  'taskInput',
  'checkOutputs',
  'changeOutput',
  'wrote',
  'due',
  'sweep',
  'settled',
  'close',
] as const

/** The name of a function of a plugin. `sweep` stands for its `look`. */
export type Moment = (typeof moments)[number]

/** A function of a plugin, whatever it takes. */
export type Hook = (...args: readonly unknown[]) => unknown

/**
 * The same plugin with other functions.
 * @param change gets each moment and the plugin's function, if it has one, and returns the function to call. `undefined`
 *   means none
 */
export function changedPlugin(
  plugin: ServicePlugin,
  change: (moment: Moment, hook: Hook | undefined) => Hook | undefined,
): ServicePlugin {
  return {
    name: plugin.name,
    attach(host) {
      const hooks = plugin.attach(host)
      const changed: Record<string, unknown> = { ...hooks }
      for (const moment of moments) {
        const hook = (moment === 'sweep' ? hooks.sweep?.look : hooks[moment]) as Hook | undefined
        const next = change(moment, hook)
        changed[moment] =
          moment === 'sweep' && next ? { what: hooks.sweep?.what ?? 'nothing', look: next } : next
      }
      return changed as PluginHooks
    },
  }
}

/** What a plugin can do wrong: the name of the damage, and the function that does it. */
export const damages: Readonly<Record<string, Hook>> = {
  throws() {
    throw new Error('The plugin is out of order.')
  },
  async rejects() {
    throw new Error('The plugin is out of order.')
  },
  hangs: () => new Promise(() => {}),
  lies: () => 'nonsense',
}

/** The plugin with one function that is damaged, also if it has had none. */
export function damagedPlugin(plugin: ServicePlugin, moment: Moment, damage: Hook): ServicePlugin {
  return changedPlugin(plugin, (name, hook) => (name === moment ? damage : hook))
}

/** A plugin that does nothing. */
export function idlePlugin(name: string): ServicePlugin {
  return { name, attach: () => ({}) }
}
