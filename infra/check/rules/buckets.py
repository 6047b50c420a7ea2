"""Buckets are private and encrypted. Only CloudFront may read their public files, with origin access control.

https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html
"""

from .resources import of_type

PRIVATE = {"BlockPublicAcls": True, "IgnorePublicAcls": True, "BlockPublicPolicy": True, "RestrictPublicBuckets": True}
CLOUDFRONT = {"Service": "cloudfront.amazonaws.com"}
# The other files of the bucket are private: incoming files and exports.
PUBLIC = [{"Fn::Sub": "${UploadBucket.Arn}/uploads/*"}, {"Fn::Sub": "${UploadBucket.Arn}/desk/*"}]


def problems(template):
    for name, properties in of_type(template, "AWS::S3::Bucket").items():
        if properties.get("PublicAccessBlockConfiguration") != PRIVATE:
            yield f"{name} is public, or a bucket policy can make it public"
        if "BucketEncryption" not in properties:
            yield f"{name}: is not encrypted"
        if template["Resources"][name].get("DeletionPolicy") != "RetainExceptOnCreate":
            yield f"{name}: its files are deleted with the stack"
    for name, properties in of_type(template, "AWS::S3::BucketPolicy").items():
        for statement in properties["PolicyDocument"]["Statement"]:
            sources = statement.get("Condition", {}).get("StringEquals", {}).get("aws:SourceArn")
            if statement["Principal"] != CLOUDFRONT or not sources:
                yield f"{name}: gives access to others than this stack's CloudFront"
            if statement.get("Action") != "s3:GetObject" or statement["Resource"] not in PUBLIC:
                yield f"{name}: gives more access than to read the public files"
