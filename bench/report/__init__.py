"""Results of measures as data: estimates with intervals, one JSON a measure, the report, the comparison."""
