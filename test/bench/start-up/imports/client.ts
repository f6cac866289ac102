import { createClient, GenmountError } from '@genmount/client'

console.log(createClient, GenmountError)
