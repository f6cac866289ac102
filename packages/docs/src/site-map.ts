import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository, whose Markdown files are the pages of the site. */
export const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** A group of links at the side of each page. */
export interface NavigationGroup {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

/**
 * A line of a Markdown page that the site replaces with a section of another page: a mark, then a link to the section.
 * On GitHub the line is a link.
 */
export const includeLine = /^<!-- include --> \[[^\]]*\]\(([^)#]+)#([^)]+)\)$/gm

let scanned: ReadonlyMap<string, string> | undefined

/** The Markdown files of the repository that are pages of the site, each with its path there. */
export function pages(): ReadonlyMap<string, string> {
  scanned ??= new Map([
    ...each('packages/docs/pages/*.md', (file) => basename(file)),
    ...each('packages/*/README.md', (file) => `${dirname(file)}.md`).filter(([file]) => isPublished(file)),
    ...each('packages/*/PRODUCTION.md', () => 'production.md'),
    ...each('examples/*/README.md', (file) => `${dirname(file)}.md`),
    ...each('.github/decisions/*.md', (file) => file.replace('.github/', '')),
    ...each('.github/{CONTRIBUTING,SECURITY}.md', (file) => basename(file).toLowerCase()),
  ])
  return scanned
}

function each(pattern: string, sitePath: (file: string) => string): (readonly [string, string])[] {
  return globSync(pattern, { cwd: repository })
    .toSorted()
    .map((file) => [file, sitePath(file)] as const)
}

function isPublished(readme: string): boolean {
  const manifest = join(repository, dirname(readme), 'package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).private !== true
}

const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    'From clone to production': 'clone-to-production.md',
    'Mount it': 'mount-it.md',
    'Other frameworks': 'other-frameworks.md',
    'A vendor in three minutes': 'first-vendor.md',
    'Which key runs which model': 'models.md',
    'Models of vendors': 'models-of-vendors.md',
    'Keep jobs and files': 'keep-jobs.md',
    'Coming from Replicate or fal': 'coming-from.md',
  },
  'Use it': {
    'The interface': 'interface.md',
    'Each route and object': 'openapi.md',
    'The TypeScript client': 'packages/client.md',
    'Show outputs in a page': 'show-outputs.md',
    'The playground': 'packages/playground.md',
    'The command line': 'packages/cli.md',
    'Tools for agents (MCP)': 'packages/mcp.md',
    'The AI SDK': 'packages/ai-sdk.md',
    "OpenAI's SDKs and chat front ends": 'openai-clients.md',
  },
  'Run it': {
    Production: 'production.md',
    'Start and stop': 'start-and-stop.md',
    'Health and log': 'health-and-log.md',
    'What jobs cost': 'costs.md',
    'Limits of owners': 'limits-of-owners.md',
    'Several providers': 'several-providers.md',
    'Models that change': 'models-change.md',
    'Many nodes': 'many-nodes.md',
    'What jobs cost in Postgres': 'postgres-figures.md',
    'Where one Postgres ends': 'one-postgres.md',
    'Operate: see and steer jobs': 'operate.md',
    Serverless: 'serverless.md',
    'AWS Lambda': 'aws-lambda.md',
    'Mark what AI has made': 'mark-outputs.md',
    Security: 'security.md',
    Limits: 'limits.md',
    'What it costs': 'what-it-costs.md',
  },
  'Extend it': {
    'Write a provider': 'write-a-provider.md',
    'Write a plugin': 'write-a-plugin.md',
    'Write a file store': 'write-a-file-store.md',
    'The service and its options': 'packages/core.md',
    'Conformance suites': 'packages/testing.md',
    Contribute: 'contributing.md',
  },
}

/** The groups of packages. A group has the packages whose names match; the last group has all other packages. */
const packageGroups: Readonly<Record<string, RegExp>> = {
  Providers: /^provider-/,
  Stores: /^(?:backend|files|scheduler)-/,
  'All other packages': /^/,
}

/** The links at the side of each page: first the guide, then every package. */
export function navigation(): NavigationGroup[] {
  const guide = Object.entries(groups).map(([text, items]) => ({
    text,
    items: Object.entries(items).map(([name, path]) => ({ text: name, link: pageLink(path) })),
  }))
  const linked = new Set(guide.flatMap(({ items }) => items.map(({ link }) => link)))
  const ofPackages = [...pages().values()].filter(
    (path) => path.startsWith('packages/') && !linked.has(pageLink(path)),
  )
  const byGroup = Object.groupBy(
    ofPackages.map((path) => basename(path, '.md')),
    (name) => Object.keys(packageGroups).find((group) => packageGroups[group]?.test(name)) ?? '',
  )
  const groupsOfPackages = Object.keys(packageGroups).map((text) => ({
    text,
    collapsed: true,
    items: (byGroup[text] ?? []).map((name) => ({ text: name, link: pageLink(`packages/${name}.md`) })),
  }))
  return [...guide, ...groupsOfPackages]
}

const pageLink = (path: string) => `/${path.replace(/\.md$/, '')}`
