import { createServer } from 'node:http'
import process from 'node:process'

createServer((_request, response) => {
  response.statusCode = 404
  response.end('{}')
}).listen(Number(process.argv[2]), '127.0.0.1')
