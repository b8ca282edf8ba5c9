"""Rows of telemetry that were kept in files: followed, asked, rolled up by day, watched for what is wrong."""
