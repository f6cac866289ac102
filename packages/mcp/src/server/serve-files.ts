import { GenmountError, toBase64 } from '@genmount/client'
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server'
import { fetchFile } from '../results/fetched-file.ts'
import { fileUriTemplate, readFileUri } from '../results/file-uri.ts'
import type { ToolContext } from '../tools/tool-context.ts'

/**
 * The largest file that is served, in bytes. Clients of the SDK accept messages of up to 10 MB, and base64 makes a file
 * a third larger.
 */
const maxBytes = 7_000_000

/** Serves the files of jobs as MCP resources. */
export function serveFiles(server: Server, { client }: ToolContext): void {
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        name: 'file',
        uriTemplate: fileUriTemplate,
        title: 'File of a job',
        description: 'A picture or film that a job has made. n counts from 0.',
      },
    ],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    const reference = readFileUri(uri)
    if (reference === undefined) throw new ResourceNotFoundError(uri)
    try {
      const { bytes, mimeType, openUrl } = await fetchFile(client, reference, () => maxBytes, signal)
      if (bytes && mimeType) return { contents: [{ uri, mimeType, blob: toBase64(bytes) }] }
      const elsewhere = openUrl === undefined ? '' : ` It can be opened for a while at ${openUrl}`
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `The file is larger than ${maxBytes} bytes, or is stored outside the service.${elsewhere}`,
      )
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      if (error instanceof GenmountError && error.status === 404) throw new ResourceNotFoundError(uri)
      const said = error instanceof GenmountError ? `${error.code}: ${error.message}` : 'internal_error'
      throw new ProtocolError(ProtocolErrorCode.InternalError, said)
    }
  })
}
