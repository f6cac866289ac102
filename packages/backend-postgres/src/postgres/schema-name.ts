import { optional, text } from '@genmount/core'

/** Names that need no quotes in SQL, and are short enough for the names of prepared statements made of them. */
const pattern = /^[a-z_][a-z0-9_]{0,39}$/

/** Checks the option `schema`. */
export const checkSchemaName = optional(
  text(
    'the name of a Postgres schema: at most 40 small letters, digits and underscores',
    (name) => pattern.test(name) && !name.startsWith('pg_'),
  ),
)
