import process from 'node:process'
import express from 'express'

express()
  .use((_request, response) => void response.status(404).json({}))
  .listen(Number(process.argv[2]), '127.0.0.1')
