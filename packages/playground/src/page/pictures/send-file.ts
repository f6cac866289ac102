import { type AnyModels, type Client, takesNoUploads } from '@genmount/client'

/** The largest file that is put into the body of a create: base64 makes it a third larger, and bodies may have 20 MiB. */
const maxInlineBytes = 14_000_000

/** Services that take no uploads, which is asked once for each of them. */
const withoutUploads = new WeakSet<Client<AnyModels>>()

/**
 * Makes an address for a file that can stand in an input: that of an upload, or a data URI where the service takes no
 * uploads.
 * @throws Error that says in words why there is none
 */
export async function sendFile(client: Client<AnyModels>, file: Blob): Promise<string> {
  if (!withoutUploads.has(client)) {
    try {
      return (await client.upload(file)).url
    } catch (error) {
      if (!takesNoUploads(error)) throw error
      withoutUploads.add(client)
    }
  }
  if (file.size > maxInlineBytes)
    throw new Error(
      'The file is too large for this service, which takes no uploads. At most 14 MB are possible.',
    )
  return dataUri(file)
}

function dataUri(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(new Error('The file can not be read.')))
    reader.readAsDataURL(file)
  })
}
