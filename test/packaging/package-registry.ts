import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { listen } from '../loopback.ts'

/** What npm sends to publish a package. */
interface Publication {
  readonly name: string
  readonly versions: Readonly<Record<string, { readonly dist: { readonly tarball: string } }>>
  /** The tarballs by their file names. */
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>
}

/** The document of a package as npm reads it: a publication without its tarballs. */
type PackageDocument = Omit<Publication, '_attachments'>

/**
 * Starts a registry that keeps what npm publishes to it, in memory, and gives it to whoever installs it. It knows of no
 * vulnerability, and takes one version of each package. Its address is new at each start, so that npm finds nothing of it
 * in its cache.
 * @see https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md
 */
export async function startPackageRegistry() {
  const base = `/${randomUUID()}/`
  const documents = new Map<string, PackageDocument>()
  const tarballs = new Map<string, Buffer>()

  function publish({ _attachments: attachments, ...document }: Publication): 201 | 409 {
    if (documents.has(document.name)) return 409
    documents.set(document.name, document)
    // npm names the address of each tarball itself.
    const [{ data = '' } = {}] = Object.values(attachments)
    for (const { dist } of Object.values(document.versions))
      tarballs.set(decodeURIComponent(new URL(dist.tarball).pathname), Buffer.from(data, 'base64'))
    return 201
  }

  const { origin, stop } = await listen(async (request, reply) => {
    const path = decodeURIComponent(request.url ?? '')
    const answer = (status: number, body: object = {}) =>
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'PUT') return answer(publish((await json(request)) as Publication))
    if (path === `${base}-/npm/v1/security/advisories/bulk`) return answer(200)
    const tarball = tarballs.get(path)
    if (tarball) return reply.writeHead(200).end(tarball)
    const document = documents.get(path.replace(base, ''))
    return document ? answer(200, document) : answer(404)
  })
  const url = `${origin}${base}`
  return {
    url,
    /** The line of `.npmrc` that lets npm publish to this registry. */
    login: `${url.replace('http:', '')}:_authToken=token\n`,
    /** The names of the packages in the order of their publication. */
    get published(): readonly string[] {
      return [...documents.keys()]
    },
    stop,
  }
}
