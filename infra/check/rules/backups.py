"""Deleted files, backups and the list of account deletions are kept for a limited time.

AWS Backup backs up only buckets with versions and events: https://docs.aws.amazon.com/aws-backup/latest/devguide/s3-backups.html
"""

from .resources import many, of_type, target

VERSION_DAYS = 35
BACKUP_DAYS = 35
DELETIONS_DAYS = 40
UPLOADS = "UploadBucket"


def problems(template):
    buckets = of_type(template, "AWS::S3::Bucket")
    if UPLOADS in buckets:
        yield from (f"{UPLOADS}: {problem}" for problem in of_uploads(buckets[UPLOADS]))
    for name, policy in of_type(template, "AWS::IAM::ManagedPolicy").items():
        if any("s3:DeleteObject" in many(statement.get("Action")) for statement in policy["PolicyDocument"]["Statement"]):
            yield f"{name}: s3:DeleteObject only adds a delete marker. Use s3:DeleteObjectVersion"
    for function in of_type(template, "AWS::Serverless::Function").values():
        bucket = target(((function.get("Environment") or {}).get("Variables") or {}).get("DELETIONS_BUCKET"))
        if bucket in buckets and expiry(buckets[bucket], "deletions/") != DELETIONS_DAYS:
            yield f"{bucket}: the list of account deletions is not kept for {DELETIONS_DAYS} days"


def of_uploads(bucket):
    """Yields the problems of the bucket with uploads."""
    if bucket.get("VersioningConfiguration") != {"Status": "Enabled"}:
        yield "keeps no versions"
    if not bucket.get("NotificationConfiguration", {}).get("EventBridgeConfiguration", {}).get("EventBridgeEnabled"):
        yield "sends no events to AWS Backup"
    for rule in lifecycle(bucket):
        days = rule.get("NoncurrentVersionExpiration", {}).get("NoncurrentDays")
        if days != (1 if "Prefix" in rule else VERSION_DAYS):
            yield f"the lifecycle rule {rule['Id']} keeps earlier versions for {days} days"
    if not any("Prefix" not in rule and rule.get("ExpiredObjectDeleteMarker") for rule in lifecycle(bucket)):
        yield "keeps delete markers forever"


def of_plans(template):
    """Yields the problems of a template with backup plans."""
    for name, vault in of_type(template, "AWS::Backup::BackupVault").items():
        if template["Resources"][name].get("DeletionPolicy") != "RetainExceptOnCreate":
            yield f"{name}: its backups are deleted with the stack"
    for name, plan in of_type(template, "AWS::Backup::BackupPlan").items():
        for rule in plan["BackupPlan"]["BackupPlanRule"]:
            copies = rule.get("CopyActions", [])
            if not copies:
                yield f"{name}: no copy goes to another account or region"
            for kept in [rule, *copies]:
                days = kept.get("Lifecycle", {}).get("DeleteAfterDays")
                if days is None or days > BACKUP_DAYS:
                    yield f"{name}: a backup is kept for {days} days, longer than the list of account deletions allows"
    for name, selection in of_type(template, "AWS::Backup::BackupSelection").items():
        if {target(resource) for resource in selection["BackupSelection"]["Resources"]} != {"TableArn", "BucketArn"}:
            yield f"{name}: does not select the table and the bucket"


def lifecycle(bucket):
    return bucket.get("LifecycleConfiguration", {}).get("Rules", [])


def expiry(bucket, prefix):
    return next((rule["ExpirationInDays"] for rule in lifecycle(bucket) if rule.get("Prefix") == prefix), None)
