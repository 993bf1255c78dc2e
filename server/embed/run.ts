import { addPartnerFrom } from './add-partner.ts'

process.exitCode = await addPartnerFrom(
  process.argv.slice(2),
  process.env,
  line => process.stdout.write(`${line}\n`),
  line => process.stderr.write(`${line}\n`),
)
