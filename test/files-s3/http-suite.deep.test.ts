// @module-tag needs/swift
import { promises, testWithBucket } from './http-suite-cases.ts'

testWithBucket(promises)
