/** What the operator can do about an error, by its code. */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server accepts connections there; start it, or correct host and port of the pool',
  ENOTFOUND: 'there is no such host; correct the host of the pool',
  '28P01': 'correct user and password of the pool',
  '28000': 'the server does not let this user in; correct the user of the pool, or pg_hba.conf',
  '3D000': 'create the database, or correct its name in the pool',
  '42501': 'the user of the pool lacks a right; grant it, or migrate with a user that has it',
  '53100': 'the disk of the server is full',
  '53300': 'the server has no connection left; lower `max` of the pools, or raise max_connections',
  '25006': 'this server may only be read: it is a replica, or a fail-over is under way',
  '57P01': 'the server has ended the connection; the next call makes another one',
  '57P03': 'the server is starting or stopping',
  '57014': 'the statement was canceled, for example by statement_timeout',
  '40001': 'transactions got in one another’s way again and again',
  '42P01': 'a table is missing; migrate the schema, or leave the option `migrate` out',
  '3F000': 'the schema is missing; migrate it, or leave the option `migrate` out',
}

/**
 * An error for the operator: why the database can't be used, and what to do. It contains no password.
 * @param reason replaces the cause's message
 */
export function unusableDatabase(schema: string, cause: unknown, reason = reasonOf(cause)): Error {
  return new Error(`The job database (schema ${schema}) can't be used: ${reason}.`, { cause })
}

function reasonOf(cause: unknown): string {
  const { code, message, errors } = (cause ?? {}) as { code?: unknown; message?: unknown; errors?: unknown[] }
  // Node tries several addresses of a host and reports all errors together, without a message.
  const first = Array.isArray(errors) ? errors[0] : undefined
  const reason = String(message || (first as { message?: unknown } | undefined)?.message || cause)
  const words = reason.replace(/:\/\/[^\s/@]+@/g, '://[secret]@').replace(/\.$/, '')
  const help = advice[String(code)]
  return help === undefined ? words : `${words}; ${help}`
}
