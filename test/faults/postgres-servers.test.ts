import { SERVER_FAULTS } from './faults.ts'
import { testFaults } from './test-faults.ts'

testFaults('postgres', SERVER_FAULTS)
