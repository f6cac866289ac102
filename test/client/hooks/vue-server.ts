import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import type { ComponentProps } from './hook-page.ts'
import { componentWith } from './vue-component.ts'

export const render = (props: ComponentProps) => renderToString(createSSRApp(componentWith(props)))
