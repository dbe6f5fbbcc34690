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
    // An identity that gets an actor looks for itself among the actors of that one.
    private const int MaxActors = 1000;

    // A claim or a role, with a table of properties, and its place in a list.
    private const int CostOfClaim = 256;
    private const int CostOfProperty = 32;

    /// <summary>Estimates what it costs to make a claim.</summary>
    public static ConversionCost CostOf(ClaimParts claim) => new(CostOf(claim.Properties?.Length ?? 0));

    /// <summary>Estimates what it costs to make an identity.</summary>
    public static ConversionCost CostOf(ClaimsIdentityParts identity)
    {
        long bytes = 0;
        foreach (ClaimParts claim in identity.Claims ?? [])
        {
            bytes += CostOf(claim).Bytes;
        }

        return new(bytes);
    }

    /// <summary>Estimates what it costs to make an identity with a name.</summary>
    public static ConversionCost CostOf(GenericIdentityParts identity) => CostOf(identity.Claims);

    /// <summary>Estimates what it costs to make a principal.</summary>
    public static ConversionCost CostOf(ClaimsIdentity[] identities) => new((long)sizeof(long) * 2 * identities.Length);

    /// <summary>Estimates what it costs to make a principal with roles, which has a copy of the identity that it is made with.</summary>
    public static ConversionCost CostOf(GenericPrincipalParts principal)
    {
        long bytes = CostOf(principal.Others ?? []).Bytes + ((long)CostOfClaim * (principal.Roles?.Length ?? 0));
        foreach (Claim claim in (principal.Identity as ClaimsIdentity)?.Claims ?? [])
        {
            bytes += CostOf(claim.Properties.Count);
        }

        return new(bytes);
    }

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

    private static long CostOf(int properties) => CostOfClaim + ((long)CostOfProperty * properties);

    private static ClaimsIdentityParts PartsOf(ClaimsIdentity identity)
    {
        if (identity.BootstrapContext is not null)
        {
            throw new UnsupportedTypeException(
                identity.GetType(), "it has a BootstrapContext, which holds a token and would be lost. Set it to null.");
        }

        return HasTooManyActors(identity.Actor)
            ? throw new UnsupportedTypeException(identity.GetType(), $"it has more than {MaxActors} actors, one of the other.")
            : new(
                identity.AuthenticationType,
                identity.NameClaimType,
                identity.RoleClaimType,
                identity.Label,
                identity.Actor,
                [.. identity.Claims.Select(ToParts)]);
    }

    private static bool HasTooManyActors(ClaimsIdentity? actor)
    {
        int count = 0;
        for (; actor is not null && count <= MaxActors; actor = actor.Actor)
        {
            count++;
        }

        return count > MaxActors;
    }

    private static T Filled<T>(T identity, ClaimsIdentityParts parts)
        where T : ClaimsIdentity
    {
        if (HasTooManyActors(parts.Actor))
        {
            throw new InvalidOperationException($"An identity has more than {MaxActors} actors, one of the other.");
        }

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
