import type { ServicePlugin } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { apiKeys } from '@genmount/node-http'
import { outputList } from '@genmount/output-facts'
import { provenance } from '@genmount/provenance'
import { ffmpegFrame, variants } from '@genmount/variants'
import type { ConfigFile } from './read-config.ts'
import type { Settings } from './settings.ts'

/** @throws TypeError that names the wrong limit */
export function configuredLimits(configured: NonNullable<ConfigFile['limits']>) {
  if (typeof configured !== 'object') return limits(configured)
  const { reserveUsd, timeZone, ...most } = configured
  return limits(most, { reserveUsd, timeZone })
}

/** The plugin that lets operators see and steer jobs, if there are keys for them. @throws TypeError that says which key is wrong */
export async function configuredOperators({ operatorKeys }: Settings): Promise<readonly ServicePlugin[]> {
  if (Object.keys(operatorKeys).length === 0) return []
  // Loaded late, because most servers have no operators.
  const { operator } = await import('@genmount/operator')
  return [operator({ authenticate: apiKeys(operatorKeys) })]
}

/** The page of operators, if there are keys for them. */
export async function configuredOperatorPage({ operatorKeys }: Settings) {
  if (Object.keys(operatorKeys).length === 0) return undefined
  const { toOperatorNodeHandler } = await import('@genmount/operator/page')
  return toOperatorNodeHandler()
}

/** The plugin that marks outputs, unless the file says that none is marked. */
export function configuredMarks(configured: ConfigFile['provenance'] = {}) {
  return configured === false ? [] : [provenance(configured)]
}

/** The plugin that makes other sizes and formats of outputs, unless the file wants none. @throws TypeError that names the wrong option */
export function configuredVariants(configured: ConfigFile['variants'] = {}) {
  if (configured === false) return []
  if (typeof configured !== 'object' || !configured) return [variants(configured)]
  const { posters = false, ...options } = configured
  const program = posters === true ? undefined : (posters as string)
  return [variants(posters === false ? options : { ...options, decodeFrame: ffmpegFrame({ program }) })]
}

/**
 * The plugin that sends webhooks, if the file has the secrets of owners.
 * @throws Error that names the field and says what it accepts
 */
export async function configuredWebhooks(
  config: ConfigFile | undefined,
  { baseUrl }: Settings,
): Promise<readonly ServicePlugin[]> {
  if (config?.webhooks === undefined) return []
  const { secrets, ...options } = checkedWebhooks(config.name, config.webhooks)
  if (baseUrl === undefined)
    throw new Error(
      `webhooks in ${config.name} needs baseUrl, or BASE_URL: the URLs in webhooks begin with it.`,
    )
  // Loaded late, because most servers send no webhooks.
  const { signedWebhooks, webhooks } = await import('@genmount/webhooks')
  const secretsOf = (owner: string) => (Object.hasOwn(secrets, owner) ? secrets[owner]! : [])
  return [webhooks(signedWebhooks({ ...options, baseUrl, secretsOf, outputs: outputList }))]
}

function checkedWebhooks(file: string, configured: NonNullable<ConfigFile['webhooks']>) {
  const { secrets, allow, allowLoopback, ...others } = configured
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new Error(
      `webhooks in ${file} has the unknown field ${unknown}. It may have: secrets, allow, allowLoopback.`,
    )
  const isSecret = (secret: unknown) =>
    typeof secret === 'string' && /^whsec_[A-Za-z\d+/]{32,88}={0,2}$/.test(secret)
  const all = Object.entries(secrets ?? {})
  const wrong = all.find(([, each]) => ![each].flat().every(isSecret) || [each].flat().length === 0)
  if (wrong || all.length === 0 || typeof secrets !== 'object')
    throw new Error(
      `webhooks.secrets${wrong ? `.${wrong[0]}` : ''} in ${file} must have the secret of each owner, or a list of them: whsec_ and the base64 of 24 to 64 random bytes.`,
    )
  return { secrets, allow, allowLoopback }
}
