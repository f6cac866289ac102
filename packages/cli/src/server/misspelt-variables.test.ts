import { expect, test } from 'vitest'
import { misspeltVariables } from './misspelt-variables.ts'

test.each([
  ['API_KEY', 'API_KEYS'],
  ['DATADIR', 'DATA_DIR'],
  ['DATA_DIRR', 'DATA_DIR'],
  ['DATA_DRI', 'DATA_DIR'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['WAIT_BUDGET', 'WAIT_BUDGET_MS'],
  ['S3_BUKET', 'S3_BUCKET'],
  ['S3_SECRET_KEY', 'S3_SECRET_ACCESS_KEY'],
  ['FALKEY', 'FAL_KEY'],
  ['OPENAI_KEY', 'OPENAI_API_KEY'],
  ['REPLICATE_TOKEN', 'REPLICATE_API_TOKEN'],
  ['REPLICATE_API_KEY', 'REPLICATE_API_TOKEN'],
  ['FAL_TOKEN', 'FAL_KEY'],
])('%s is taken for %s, unless that is set too', (variable, meant) => {
  expect(misspeltVariables({ [variable]: 'x' })).toEqual([{ variable, meant }])
  expect(misspeltVariables({ [variable]: 'x', [meant]: 'y' })).toEqual([])
  expect(misspeltVariables({ [variable]: '' })).toEqual([])
})

test.each(
  'KLING_ACCESS_KEY KLING_SECRET_KEY PATH HOME PWD TERM HOSTNAME HOSTTYPE SHELL USER LANG TZ NODE_ENV NODE_OPTIONS REDIS_PORT REDIS_HOST PGHOST POSTGRES_URL API_URL BASE_PATH API_TOKEN AWS_ACCESS_KEY_ID AWS_REGION PORTS http_proxy npm_config_cache'.split(
    ' ',
  ),
)('%s, which is read or belongs to other programs, is taken for nothing', (name) => {
  expect(misspeltVariables({ [name]: 'x' })).toEqual([])
})
