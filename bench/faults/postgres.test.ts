import { testFaultsOf } from './testing.ts'

testFaultsOf('postgres')
