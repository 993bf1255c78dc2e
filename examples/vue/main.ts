import { createApp } from 'vue'
import Loans from './loans.vue'

createApp(Loans).mount('#app')
