export { createGenmount, type GenmountProvider } from './create-genmount.ts'
