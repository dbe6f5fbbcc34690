using System.Security.Claims;

namespace Wire.Surrogates;

/// <summary>A claim.</summary>
internal record struct ClaimParts(
    string Type, string Value, string ValueType, string Issuer, string OriginalIssuer, KeyValuePair<string, string>[]? Properties);

/// <summary>An identity.</summary>
internal record struct ClaimsIdentityParts(
    string? AuthenticationType, string NameClaimType, string RoleClaimType, string? Label, ClaimsIdentity? Actor, ClaimParts[] Claims);

/// <summary>Claims, and the identities that they belong to.</summary>
internal static class ClaimsConversion
{
    public static ClaimParts ToParts(Claim claim)
    {
        Exact.Require(claim);
        return new(
            claim.Type,
            claim.Value,
            claim.ValueType,
            claim.Issuer,
            claim.OriginalIssuer,
            claim.Properties.Count == 0 ? null : [.. claim.Properties]);
    }

    public static Claim ToClaim(ClaimParts parts, ClaimsIdentity? subject)
    {
        var claim = new Claim(parts.Type, parts.Value, parts.ValueType, parts.Issuer, parts.OriginalIssuer, subject);
        foreach ((string key, string value) in parts.Properties ?? [])
        {
            claim.Properties.Add(key, value);
        }

        return claim;
    }

    public static ClaimsIdentityParts ToParts(ClaimsIdentity identity)
    {
        Exact.Require(identity);
        if (identity.BootstrapContext is not null)
        {
            throw new UnsupportedTypeException(
                typeof(ClaimsIdentity), "it has a BootstrapContext, which holds a token and would be lost. Set it to null.");
        }

        return new(
            identity.AuthenticationType,
            identity.NameClaimType,
            identity.RoleClaimType,
            identity.Label,
            identity.Actor,
            [.. identity.Claims.Select(ToParts)]);
    }

    public static ClaimsIdentity ToIdentity(ClaimsIdentityParts parts) => Made.Create(() =>
    {
        var identity = new ClaimsIdentity(null, parts.AuthenticationType, parts.NameClaimType, parts.RoleClaimType)
        {
            Label = parts.Label,
            Actor = parts.Actor,
        };
        foreach (ClaimParts claim in parts.Claims)
        {
            identity.AddClaim(ToClaim(claim, identity));
        }

        return identity;
    });
}
