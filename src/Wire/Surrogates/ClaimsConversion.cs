using System.Runtime.CompilerServices;
using System.Security.Claims;
using System.Security.Principal;

namespace Wire.Surrogates;

/// <summary>A claim.</summary>
internal record struct ClaimParts(
    string Type, string Value, string ValueType, string Issuer, string OriginalIssuer, KeyValuePair<string, string>[]? Properties);

/// <summary>An identity.</summary>
internal record struct ClaimsIdentityParts(
    string? AuthenticationType, string NameClaimType, string RoleClaimType, string? Label, ClaimsIdentity? Actor, ClaimParts[] Claims);

/// <summary>An identity that has a name beside its claims.</summary>
internal record struct GenericIdentityParts(string Name, ClaimsIdentityParts Claims);

/// <summary>A principal that has roles beside its identities.</summary>
/// <param name="Identity">The identity that it was made with.</param>
/// <param name="Roles">The roles.</param>
/// <param name="Others">The identities that were added later.</param>
internal record struct GenericPrincipalParts(IIdentity Identity, string[]? Roles, ClaimsIdentity[] Others);

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

    public static ClaimsIdentityParts ToParts(ClaimsIdentity identity) => PartsOf(Exact.Require(identity));

    public static ClaimsIdentity ToIdentity(ClaimsIdentityParts parts) => Made.Create(
        () => Filled(new ClaimsIdentity(null, parts.AuthenticationType, parts.NameClaimType, parts.RoleClaimType), parts));

    public static GenericIdentityParts ToParts(GenericIdentity identity) =>
        new(Exact.Require(identity).Name, PartsOf(identity));

    public static GenericIdentity ToIdentity(GenericIdentityParts parts) => Made.Create(() =>
    {
        var identity = new GenericIdentity(parts.Name, parts.Claims.AuthenticationType!);

        // The constructor makes a claim of the name, which the program may have removed since.
        foreach (Claim claim in identity.Claims.ToArray())
        {
            identity.RemoveClaim(claim);
        }

        return Filled(identity, parts.Claims);
    });

    public static GenericPrincipalParts ToParts(GenericPrincipal principal)
    {
        ClaimsIdentity[] identities = [.. Exact.Require(principal).Identities];
        var parts = new GenericPrincipalParts(principal.Identity, RolesOf(principal), [.. identities.Skip(1)]);
        return identities is [ClaimsIdentity first, ..] && AreSame(first, Principal(parts).Identities.First())
            ? parts
            : throw new UnsupportedTypeException(
                typeof(GenericPrincipal),
                "its first identity is another one than its constructor makes of its Identity and roles. Write a ClaimsPrincipal.");
    }

    public static GenericPrincipal ToPrincipal(GenericPrincipalParts parts) => Made.Create(() => Principal(parts));

    private static GenericPrincipal Principal(GenericPrincipalParts parts)
    {
        var principal = new GenericPrincipal(parts.Identity, parts.Roles);
        principal.AddIdentities(parts.Others);
        return principal;
    }

    private static ClaimsIdentityParts PartsOf(ClaimsIdentity identity) => identity.BootstrapContext is null
        ? new(
            identity.AuthenticationType,
            identity.NameClaimType,
            identity.RoleClaimType,
            identity.Label,
            identity.Actor,
            [.. identity.Claims.Select(ToParts)])
        : throw new UnsupportedTypeException(
            identity.GetType(), "it has a BootstrapContext, which holds a token and would be lost. Set it to null.");

    private static T Filled<T>(T identity, ClaimsIdentityParts parts)
        where T : ClaimsIdentity
    {
        identity.Label = parts.Label;
        identity.Actor = parts.Actor;
        foreach (ClaimParts claim in parts.Claims)
        {
            identity.AddClaim(ToClaim(claim, identity));
        }

        return identity;
    }

    private static bool AreSame(ClaimsIdentity? left, ClaimsIdentity? right)
    {
        if (left is null || right is null)
        {
            return left == right;
        }

        ClaimsIdentityParts parts = PartsOf(left);
        ClaimsIdentityParts others = PartsOf(right);
        return left.GetType() == right.GetType()
            && left.Name == right.Name
            && AreSame(parts.Actor, others.Actor)
            && parts with { Actor = others.Actor, Claims = others.Claims } == others
            && parts.Claims.Length == others.Claims.Length
            && parts.Claims.Zip(others.Claims, AreSame).All(same => same);
    }

    private static bool AreSame(ClaimParts left, ClaimParts right) =>
        left with { Properties = right.Properties } == right && (left.Properties ?? []).SequenceEqual(right.Properties ?? []);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_roles")]
    private static extern ref string[]? RolesOf(GenericPrincipal principal);
}
