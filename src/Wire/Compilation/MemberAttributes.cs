using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Compilation;

/// <summary>
/// The attributes of one member. In native code each question after one costs a search for the types of all, so that they are found once.
/// </summary>
/// <param name="member">The member.</param>
internal readonly struct MemberAttributes(MemberInfo member)
{
    private readonly Type[]? _types = RuntimeFeature.IsDynamicCodeSupported || MayInherit(member) ? null
        : [.. member.CustomAttributes.Select(attribute => attribute.AttributeType)];

    /// <summary>Returns whether the member has an attribute of exactly this type.</summary>
    public bool Has(Type attribute) => _types is not null ? Array.IndexOf(_types, attribute) >= 0
        : MayInherit(member) ? Attribute.IsDefined(member, attribute)
        : member.IsDefined(attribute, inherit: false);

    // Only an override could inherit an attribute; checking whether the attribute is inherited costs more than the rest.
    private static bool MayInherit(MemberInfo member)
    {
        if (member is PropertyInfo property)
        {
            foreach (MethodInfo accessor in property.GetAccessors(nonPublic: true))
            {
                if (accessor.IsVirtual)
                {
                    return true;
                }
            }
        }

        return false;
    }
}
