import { posix } from 'node:path'

/**
 * The test files that a change can reach: those that are changed, and those that import a changed file, directly or
 * through others. A string with the path or the name of a file counts as an import of it, because tests start servers by
 * their path. Imports of types do not count, because the compiler checks these.
 * @param files all files of the repository, as paths from its root with slashes
 * @param read reads the text of a file
 */
export function reachedTests(
  files: readonly string[],
  changed: ReadonlySet<string>,
  read: (file: string) => string,
): readonly string[] {
  const sources = files.filter((file) => /\.(tsx?|mjs|cjs|js)$/.test(file))
  const codes = new Map(sources.map((file) => [file, read(file).replaceAll(typeClauses, '')]))
  const imports = [...codes].flatMap(([source, code]) =>
    namedFiles(source, code, codes).map((file) => ({ source, file })),
  )
  const importers = Map.groupBy(imports, ({ file }) => file)
  const reached = new Set(changed)
  for (const file of reached) for (const { source } of importers.get(file) ?? []) reached.add(source)
  return files.filter((file) => reached.has(file) && /\.test(-d)?\.tsx?$/.test(file))
}

const typeClauses = /^(import|export) type [^;]*? from '[^']*'$/gm
const namedImports = /^import \{([^}]*)\} from '(@genmount\/[^']*)'$/gm
const namedExports = /^export \{([^}]*)\} from '([^']*)'$/gm

/** The files that the code of a source may name. Not all of them exist. */
function namedFiles(source: string, code: string, codes: ReadonlyMap<string, string>): string[] {
  const exporting = [...code.matchAll(namedImports)].flatMap(([, names = '', from = '']) => {
    const entry = entryOf(from)
    const exporters = exportersOf(entry, codes.get(entry) ?? '')
    return namesIn(names).map(([name = '']) => exporters.get(name) ?? entry)
  })
  const texts = [...code.replaceAll(namedImports, '').matchAll(/['"`]([@\w./-]+)['"`]/g)]
  return [...exporting, ...texts.flatMap(([, text = '']) => placesOf(source, text))]
}

/** Which file exports which name through the entry of a package, so that an import reaches that file alone. */
function exportersOf(entry: string, code: string): ReadonlyMap<string, string> {
  return new Map(
    [...code.matchAll(namedExports)].flatMap(([, names = '', from = '']) =>
      namesIn(names).map((name) => [name.at(-1) ?? '', posix.join(posix.dirname(entry), from)] as const),
    ),
  )
}

/** The names in the braces of an import or export, without types: each before and behind its `as`. */
function namesIn(names: string): string[][] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(' as '))
}

function entryOf(specifier: string): string {
  const [, name, ...entry] = specifier.split('/')
  return `packages/${name}/src/${entry.join('/') || 'index'}.ts`
}

/** Folders that hold programs of the tests beside them. */
const programFolders = ['', 'processes', 'programs', 'servers', 'service', 'server']

function placesOf(source: string, text: string): string[] {
  if (text.startsWith('@genmount/')) return [entryOf(text)]
  return [text, ...programFolders.map((inside) => posix.join(posix.dirname(source), inside, text))]
}
