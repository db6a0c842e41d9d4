import { testFaultsOf } from './testing.ts'

testFaultsOf('sqlite')
