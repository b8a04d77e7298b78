"""Documents of invented companies, houses and institutes: reports, filings, notices, papers."""
