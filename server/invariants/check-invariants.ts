import { reportInvariants } from './report.ts'

process.exitCode = await reportInvariants(
  process.env,
  line => process.stdout.write(`${line}\n`),
  line => process.stderr.write(`${line}\n`),
)
