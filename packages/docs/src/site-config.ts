import { defineConfig } from 'vitepress'
import { searchedText } from './make-page.ts'
import { anchorOf } from './markdown/headings.ts'
import { navigation } from './site-map.ts'

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#5b4be0"/><path d="M6 23 13 11l5 8 3-4 5 8z" fill="#fff"/><circle cx="22" cy="10" r="2.5" fill="#fff"/></svg>',
)}`

/** How VitePress builds the site: no request to another origin, and a search whose index is part of the site. */
export const siteConfig = defineConfig({
  title: 'genmount',
  description: 'A job service for video and image generation that any TypeScript app mounts under /v1.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: icon }]],
  outDir: '../site',
  cacheDir: '../cache',
  markdown: {
    anchor: { slugify: anchorOf },
    // Names such as "fal.ai" must not become links. Pages mark their links themselves.
    linkify: false,
  },
  themeConfig: {
    logo: icon,
    search: {
      provider: 'local',
      options: { _render: (page, env, markdown) => markdown.render(searchedText(page), env) },
    },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/mount-it' },
      { text: 'Interface', link: '/interface' },
      { text: 'Production', link: '/production' },
    ],
    sidebar: navigation().map(({ text, collapsed, items }) => ({
      text,
      items: [...items],
      ...(collapsed !== undefined && { collapsed }),
    })),
  },
})
