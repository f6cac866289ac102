import { randomUUID } from 'node:crypto'
import { dependenciesOf, installedWith, type LockedPackages } from './lock-file.ts'
import { ReleaseStopped } from './release-npm.ts'

/** A package in the list. */
interface Component {
  readonly type: 'library'
  /** The purl again, by which the graph of dependencies names the package. */
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  /** npm leaves an optional package out on systems for which it is not made. */
  readonly scope: 'required' | 'optional'
  readonly purl: string
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
  /** Absent if the package names no license. */
  readonly licenses?: readonly [
    { readonly license: { readonly id: string } } | { readonly expression: string },
  ]
}

/**
 * The list of everything that comes with the published packages (a software bill of materials), with its licenses, as a document of
 * CycloneDX 1.6: the packages, and all packages that npm installs with them in the versions of the lock file. The graph
 * in `dependencies` says which of them belong to one package.
 * @see https://cyclonedx.org/docs/1.6/json/
 * @param published the folders of the published packages, each with the hash of its tarball
 * @throws ReleaseStopped when the lock file has no hash of a package
 */
export function sbom(locked: LockedPackages, published: ReadonlyMap<string, string>) {
  const places = [...installedWith(locked, ...published.keys())]
  const components = new Map<string, Component>()
  const dependsOn = new Map<string, Set<string>>()
  for (const place of places) {
    const component = componentAt(locked, place, published.get(place))
    const { purl } = component
    // A package that is in several folders is optional only if it is optional in all of them.
    if (components.get(purl)?.scope !== 'required') components.set(purl, component)
    const direct = dependsOn.get(purl) ?? new Set()
    for (const dependency of dependenciesOf(locked, place)) direct.add(purlAt(locked, dependency))
    dependsOn.set(purl, direct)
  }
  const [first = ''] = published.keys()
  const whole = { type: 'application', 'bom-ref': 'genmount', name: 'genmount' } as const
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: { ...whole, version: locked[first]?.version ?? '' },
    },
    components: [...components.values()],
    dependencies: [
      { ref: whole['bom-ref'], dependsOn: [...published.keys()].map((place) => purlAt(locked, place)) },
      ...Array.from(dependsOn, ([ref, direct]) => ({ ref, dependsOn: [...direct] })),
    ],
  }
}

function componentAt(locked: LockedPackages, place: string, packed: string | undefined): Component {
  const { integrity = packed, optional, devOptional, license } = locked[place] ?? {}
  const { name, version } = nameAt(locked, place)
  const [algorithm = '', base64 = ''] = /^sha(\d{3})-(\S+)$/.exec(integrity ?? '')?.slice(1) ?? []
  if (base64 === '') throw new ReleaseStopped(`package-lock.json has no hash of ${name} ${version}.`)
  const purl = purlAt(locked, place)
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: optional || devOptional ? 'optional' : 'required',
    purl,
    hashes: [{ alg: `SHA-${algorithm}`, content: Buffer.from(base64, 'base64').toString('hex') }],
    ...(license !== undefined && {
      licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    }),
  }
}

/** @see https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md */
function purlAt(locked: LockedPackages, place: string): string {
  const { name, version } = nameAt(locked, place)
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`
}

function nameAt(locked: LockedPackages, place: string): { readonly name: string; readonly version: string } {
  const { name = place.split('node_modules/').at(-1) ?? '', version = '' } = locked[place] ?? {}
  return { name, version }
}
