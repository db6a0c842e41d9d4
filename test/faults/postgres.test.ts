import { FAULTS, SERVER_FAULTS } from './faults.ts'
import { testFaults } from './test-faults.ts'

testFaults(
  'postgres',
  FAULTS.filter((fault) => !SERVER_FAULTS.includes(fault)),
)
