import { useGeneration } from '@genmount/client/vue'
import { h, proxyRefs, watchEffect } from 'vue'
import { type ComponentProps, textOf } from './hook-page.ts'

/** @returns a component that gets no props, for Vue would declare them first */
export const componentWith = ({ client, onShown, onStatus }: ComponentProps) => ({
  setup() {
    const generation = proxyRefs(useGeneration(client))
    onShown(() => ({ ...generation }))
    watchEffect(() => onStatus(generation.status), { flush: 'sync' })
    return () => h('p', textOf(generation))
  },
})
