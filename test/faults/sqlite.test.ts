import { FAULTS } from './faults.ts'
import { testFaults } from './test-faults.ts'

testFaults('sqlite', FAULTS)
