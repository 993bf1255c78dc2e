import { addAdminFrom } from './add-admin.ts'

process.exitCode = await addAdminFrom(
  process.argv.slice(2),
  process.env,
  line => process.stdout.write(`${line}\n`),
  line => process.stderr.write(`${line}\n`),
)
