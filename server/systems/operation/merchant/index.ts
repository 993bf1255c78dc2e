export { checkIntake, type Intake, intakeColumns, noteHits } from './intake-filters.ts'
