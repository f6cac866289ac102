/** The columns of `jobs` that each write sets, in the order of `changingColumns`. */
export const changing = [
  'phase',
  'revision',
  'due_at',
  'claimed_until',
  'expires_at',
  'delete_at',
  'stored_bytes',
  'reserved_micro_usd',
  'job',
]

/** All columns that an insert sets. */
export const inserted = [...changing, 'id', 'owner', 'idempotency_key', 'key_id']
