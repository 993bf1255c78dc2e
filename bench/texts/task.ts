import { sql } from 'kysely'
import type { openServerKit } from '../../tests/contract/server-kit.ts'

/** An account with the simulated vendor. */
export type Access = {
  accountNo: string
  vendorName: string
  senderId: string
  reportSecret: string
  baseUrl: string
  username: string
  apiKey: string
}

type Kit = Pick<Awaited<ReturnType<typeof openServerKit>>, 'exec'>

/** Writes a task of so many texts, each to a customer of their own; the endings of their numbers say what the vendor does. */
export const writeTask = async ({ exec }: Kit, count: number): Promise<void> => {
  const now = '2026-03-02T05:00:00Z'
  const phone = sql`'25677' || lpad(n::text, 7, '0')`
  await exec(sql`
    insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
    select 'BC' || n, 'Customer ' || n, 'BID' || n, ${phone}, 0, 0, ${now} from generate_series(1, ${count}::int) n`)
  await exec(sql`
    insert into merchant_customer (customer_no, merchant_no, phone, updated_time)
    select 'BC' || n, 'M1', ${phone}, ${now} from generate_series(1, ${count}::int) n`)
  await exec(sql`
    insert into sms_template (template_no, template_name, template_status, merchant_no, content_en, content_sw, segments, author_no, created_by, created_time, updated_by, updated_time)
    values ('ST-bench', 'Bench', 'enabled', 'M1', 'Dear {customerName}, {brand} is open today.', 'Mpendwa {customerName}, {brand} iko wazi leo.', 1, 'U1', 'U1', ${now}, 'U1', ${now})`)
  await exec(sql`
    insert into sms_task (task_no, task_name, sms_task_status, merchant_no, template_no, template_version, audience_source, audience, language_mode, send_time, rate_per_minute,
      filled_time, matched_count, recipient_count, created_by, created_time)
    values ('SK-bench', 'Bench', 'created', 'M1', 'ST-bench', 1, 'filter', '{"merchantNo": "M1", "audienceSource": "filter"}', 'customer', ${now}, 6000, ${now}, ${count}::int, ${count}::int, 'U1', ${now})`)
  await exec(sql`
    insert into sms_task_recipient (task_no, phone, customer_no, merchant_no, template_no)
    select 'SK-bench', ${phone}, 'BC' || n, 'M1', 'ST-bench' from generate_series(1, ${count}::int) n`)
}
