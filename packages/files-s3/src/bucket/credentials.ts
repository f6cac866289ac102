import { type Check, checkObject, text } from '@genmount/core'

/** An access key of an S3 server. */
export interface S3Credentials {
  /** The public half of the key, such as `AKIAIOSFODNN7EXAMPLE`. It is in every link. */
  readonly accessKeyId: string
  /** The secret half of the key. It is used to sign, and is never sent. */
  readonly secretAccessKey: string
  /** The token of temporary credentials. @default none */
  readonly sessionToken?: string | undefined
}

/** Checked credentials. A missing token is left out, and not `undefined`. */
export type CheckedCredentials = Omit<S3Credentials, 'sessionToken'> & { readonly sessionToken?: string }

const isText = text()

/**
 * Checks an option that is {@link S3Credentials} or a function that returns them, and makes it a function that returns
 * checked credentials.
 */
export const checkCredentials: Check<() => Promise<CheckedCredentials>> = (name, value) => {
  if (typeof value === 'function')
    return async () => readCredentials(`${name}()`, await (value as () => unknown)())
  const credentials = readCredentials(name, value)
  return async () => credentials
}

function readCredentials(name: string, value: unknown): CheckedCredentials {
  const credentials = checkObject(
    name,
    value,
    ' with accessKeyId and secretAccessKey, or a function that returns them',
  )
  const read = (key: keyof S3Credentials) => isText(`${name}.${key}`, credentials[key])
  return {
    accessKeyId: read('accessKeyId'),
    secretAccessKey: read('secretAccessKey'),
    ...(credentials['sessionToken'] !== undefined && { sessionToken: read('sessionToken') }),
  }
}
