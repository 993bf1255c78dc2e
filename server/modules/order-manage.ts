import { sql } from 'kysely'
import { z } from 'zod'
import { contract } from '../../core/contract/contract.ts'
import type { Order as OrderStatus } from '../../core/rules/machines/order.ts'
