; The installer for Windows, made by Inno Setup 6 of the folder that PyInstaller made. Not built here: no such system was at hand.
;   iscc /DVersion=0.1.0 /DEdition=cpu /DFolder=build\package\cpu\tilescope "/DPublisher=NAME" packaging\bundle\windows\tilescope.iss
; To sign, define the command once as SignTool "tilescope" (iscc /Stilescope="signtool sign /fd sha256 /tr URL /td sha256 $f") and add /DSigned.

#define Name "Tilescope"
[Setup]
AppId={{6A1E6C0B-6C8E-4B1B-9B53-6C0F3B1C7A11}
AppName={#Name}
AppVersion={#Version}
AppPublisher={#Publisher}
; NVIDIA's compiler opens no path with other characters than those of ASCII: not below the user's own folder, whose name may have some
DefaultDirName={autopf}\{#Name}
DefaultGroupName={#Name}
PrivilegesRequired=admin
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir=..\..\..\dist
OutputBaseFilename=tilescope-{#Version}-{#Edition}-windows-x86_64
Compression=lzma2/max
SolidCompression=yes
ChangesAssociations=yes
ChangesEnvironment=yes
LicenseFile=..\..\..\LICENSE
SetupIconFile=..\..\..\build\package\tilescope.ico
UninstallDisplayIcon={app}\tilescope.exe
#ifdef Signed
SignTool=tilescope
SignedUninstaller=yes
#endif

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"

[Files]
Source: "..\..\..\{#Folder}\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{group}\{#Name}"; Filename: "{app}\tilescope.exe"
Name: "{autodesktop}\{#Name}"; Filename: "{app}\tilescope.exe"; Tasks: desktop

[Tasks]
Name: "desktop"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[Registry]
Root: HKA; Subkey: "Software\Classes\.tilescope"; ValueType: string; ValueData: "Tilescope.State"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.attempt"; ValueType: string; ValueData: "Tilescope.State"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Tilescope.State"; ValueType: string; ValueData: "Tilescope"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Tilescope.State\DefaultIcon"; ValueType: string; ValueData: "{app}\tilescope.exe,0"
Root: HKA; Subkey: "Software\Classes\Tilescope.State\shell\open\command"; ValueType: string; ValueData: """{app}\tilescope.exe"" open ""%1"""
; links that begin with tilescope:
Root: HKA; Subkey: "Software\Classes\tilescope"; ValueType: string; ValueData: "URL:Tilescope"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\tilescope"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\tilescope\DefaultIcon"; ValueType: string; ValueData: "{app}\tilescope.exe,0"
Root: HKA; Subkey: "Software\Classes\tilescope\shell\open\command"; ValueType: string; ValueData: """{app}\tilescope.exe"" open ""%1"""
; kernels in CUDA C keep the program that opens them; this one is offered beside it
Root: HKA; Subkey: "Software\Classes\.cu\OpenWithProgids"; ValueType: none; ValueName: "Tilescope.State"; Flags: uninsdeletevalue

[Run]
Filename: "{app}\tilescope.exe"; Description: "{cm:LaunchProgram,{#Name}}"; Flags: nowait postinstall skipifsilent
