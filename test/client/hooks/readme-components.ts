import { codeBlocks } from '../../readme/code-blocks.ts'

/** The languages of blocks that are not TypeScript and hold a component. */
export const componentLanguages = ['vue', 'svelte']

const blocksOf = (language: string, mark: string) =>
  codeBlocks(language).filter(({ code }) => code.includes(mark))

/** The README's components by their framework, and the file in which a page mounts each. */
export const readmeComponents = {
  react: {
    file: 'kite.ts',
    blocks: blocksOf('ts', '@genmount/client/react'),
    page: `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Kite } from './kite.ts'
createRoot(document.body.appendChild(document.createElement('div'))).render(createElement(Kite))`,
  },
  vue: {
    file: 'kite.vue',
    blocks: codeBlocks('vue'),
    page: `import { createApp } from 'vue'
import Kite from './kite.vue'
createApp(Kite).mount(document.body.appendChild(document.createElement('div')))`,
  },
  svelte: {
    file: 'kite.svelte',
    blocks: codeBlocks('svelte'),
    page: `import { mount } from 'svelte'
import Kite from './kite.svelte'
mount(Kite, { target: document.body })`,
  },
  solid: {
    file: 'kite.ts',
    blocks: blocksOf('ts', '@genmount/client/solid'),
    page: `import { render } from 'solid-js/web'
import { Kite } from './kite.ts'
render(Kite, document.body)`,
  },
} as const
